import re

from harness import programs
from harness.host import small_pages, tlb_misses


def test_the_number_is_found_and_those_of_all_kinds_of_processors_add_up():
    assert tlb_misses.misses_in("# started on Monday\n\n1234,,dTLB-load-misses,5678,100.00,,\n") == 1234
    assert tlb_misses.misses_in("10,,cpu_core/dTLB-load-misses/,1,50.00,,\n5,,cpu_atom/dTLB-load-misses/,1,50.00,,\n") == 15


def test_what_perf_cannot_count_is_no_number():
    assert tlb_misses.misses_in("<not supported>,,dTLB-load-misses,0,100.00,,\n") is None
    assert tlb_misses.misses_in("<not counted>,,dTLB-load-misses,0,100.00,,\n") is None
    assert tlb_misses.misses_in("") is None


def test_either_they_are_counted_or_it_is_said_why_not(monkeypatch):
    tlb_misses.why_not.cache_clear()
    monkeypatch.setattr(tlb_misses, "launcher", lambda path: ("sh", "-c", 'echo 7,,dTLB-load-misses,1,, >"$0"; "$@"', path))
    assert tlb_misses.run(["echo", "done"]) == ("done\n", 7)
    assert tlb_misses.why_not() == ""
    tlb_misses.why_not.cache_clear()
    monkeypatch.setattr(tlb_misses, "launcher", lambda path: ("no-such-perf",))
    assert "no-such-perf" in tlb_misses.why_not()
    tlb_misses.why_not.cache_clear()


def test_behind_the_launcher_a_command_gets_no_transparent_huge_pages():
    status, _ = programs.run(["cat", "/proc/self/status"], small_pages.LAUNCHER)
    assert re.search(r"^THP_enabled:\s*0$", status, re.MULTILINE)
