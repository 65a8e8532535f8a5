import pytest

from harness import plot, sweeps


@pytest.mark.parametrize("draw, what", [(plot.ratio_plot, []), (plot.sweep_plot, sweeps.SWEEPS["buffers"])])
def test_of_nothing_there_is_no_picture(draw, what, tmp_path, capsys):
    draw(tmp_path / "picture.svg", "title", what, {})
    assert not list(tmp_path.iterdir())
    assert "picture.svg was not drawn: nothing" in capsys.readouterr().err
