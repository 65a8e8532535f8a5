"""Other systems, timed beside ours: their command lines, and the time in what they print."""

import dataclasses
import re
import shlex
from dataclasses import dataclass

# The time of a trial as our own report, GAPBS and GBBS print it.
DEFAULT_PATTERN = r'(?:"seconds": |Trial Time:\s+|### Running Time: )([\d.eE+-]+)'

GAPBS = {
    "bfs": "{folder}/bfs -f {graph}.sg -r {source} -n {trials}",
    "wcc": "{folder}/cc -f {graph}.sg -n {trials}",
    "pagerank": "{folder}/pr -f {graph}.sg -i {iterations} -t 0 -n {trials}",
    "sssp": "{folder}/sssp -f {graph}.wsg -r {source} -d 2 -n {trials}",
    "bc": "{folder}/bc -f {graph}.sg -r {source} -i 1 -n {trials}",
    "triangles": "{folder}/tc -f {graph}.sg -n {trials}",
}
GBBS = {
    "kcore": "{folder}/KCore -s -b -rounds {trials} {graph}.gbbs",
    "mis": "{folder}/MaximalIndependentSet -s -b -rounds {trials} {graph}.gbbs",
}


@dataclass(frozen=True)
class Peer:
    """A command to time: of one kernel, or of all (kernel None), on one graph or on all (graph None)."""

    name: str
    kernel: str | None
    graph: str | None
    command: str
    pattern: str = DEFAULT_PATTERN

    @staticmethod
    def parse(text):
        """NAME[:KERNEL[:GRAPH]]=COMMAND, as on a command line."""
        key, equals, command = text.partition("=")
        parts = key.split(":")
        if not (equals and command and all(parts) and len(parts) <= 3):
            raise ValueError(f"--peer takes NAME[:KERNEL[:GRAPH]]=COMMAND, not '{text}'")
        name, kernel, graph = parts + [None] * (3 - len(parts))
        return Peer(name, kernel, graph, command)

    def with_pattern(self, pattern):
        return dataclasses.replace(self, pattern=pattern)

    def fits(self, kernel, graph):
        return self.kernel in (None, kernel) and self.graph in (None, graph)

    def argv(self, **values):
        """The command with the values of its placeholders, such as {graph}, in words."""
        try:
            return [word.format(**values) for word in shlex.split(self.command)]
        except (KeyError, IndexError) as error:
            raise ValueError(f"the peer {self.name} has the placeholder {error}; there are: "
                             f"{', '.join('{' + name + '}' for name in values)}") from error


def known(name, commands, folder):
    """Peers from a table of commands as above."""
    return [Peer(name, kernel, None, command.replace("{folder}", shlex.quote(folder)))
            for kernel, command in commands.items()]


def choose(peers, kernel, graph):
    """One of each name that fits, that which is most particular."""
    chosen = {}
    for peer in sorted(peers, key=lambda peer: (peer.kernel is not None) + (peer.graph is not None)):
        if peer.fits(kernel, graph):
            chosen[peer.name] = peer
    return list(chosen.values())


def seconds_in(output, pattern=DEFAULT_PATTERN):
    """The numbers that the pattern's group matches, one for each trial."""
    found = re.findall(pattern, output)
    if not found:
        raise ValueError(f"no time in the output: nothing matches {pattern}")
    return [float(number) for number in found]
