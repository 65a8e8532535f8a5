"""Block traces in SPC format (ASU,LBA,size,opcode,time) that stand in for recorded ones, which cannot be shipped."""

import dataclasses
import random
from dataclasses import dataclass

SECTOR = 512
PAGE = 4096
GROUP_PAGES = 16  # neighbours that are about equally popular


@dataclass(frozen=True)
class Kind:
    """Some streams that read forward, among random requests some of whose pages are asked for again and again."""

    streamed: float       # share of the requests
    stream_request: int   # bytes
    stream_length: int    # bytes, until a stream goes on somewhere else
    zipf: float           # exponent of the popularity of pages
    sizes: tuple          # bytes of random requests, all equally probable
    writes: float         # share of the random requests
    about: str


KINDS = {
    "oltp": Kind(0.1, 65536, 1 << 20, 1.1, (512, 1024, 2048, 4096, 8192), 0.6, "small requests, many to few pages, most of them writes"),
    "search": Kind(0.05, 32768, 1 << 18, 0.7, (8192, 16384, 32768), 0, "reads of some pages, to pages all over"),
    "mixed": Kind(0.5, 16384, 4 << 20, 0.9, (512, 4096, 8192), 0.2, "eight streams, cut up by each other and by small requests"),
}
STREAMS = 8
REQUESTS_PER_SECOND = 1000


class Popularity:
    """Pages by a zipf law; popular ones are neighbours in groups, which lie anywhere."""

    def __init__(self, pages, exponent, chance):
        groups = list(range((pages + GROUP_PAGES - 1) // GROUP_PAGES))
        chance.shuffle(groups)
        self.groups, self.pages, self.chance = groups, pages, chance
        self.cumulative, total = [], 0.0
        for rank in range(len(groups)):
            total += (rank + 1) ** -exponent
            self.cumulative.append(total)

    def draw(self):
        [group] = self.chance.choices(self.groups, cum_weights=self.cumulative)
        return min(group * GROUP_PAGES + self.chance.randrange(GROUP_PAGES), self.pages - 1)


class Stream:
    def __init__(self, kind, unit_bytes, chance):
        self.kind, self.unit_bytes, self.chance = kind, unit_bytes, chance
        self.next = self.end = 0

    def request(self):
        size = min(self.kind.stream_request, self.unit_bytes)
        if self.next + size > self.end:
            self.next = self.chance.randrange((self.unit_bytes - size) // SECTOR + 1) * SECTOR
            self.end = min(self.next + self.kind.stream_length, self.unit_bytes)
        offset, self.next = self.next, self.next + size
        return offset, size


def requests(kind, count, units, unit_bytes, seed):
    """Yields (unit, offset in bytes, size, opcode, seconds). The same arguments give the same trace."""
    chance = random.Random(f"{seed} {dataclasses.astuple(kind)}")
    streams = [(number % units, Stream(kind, unit_bytes, chance)) for number in range(STREAMS)]
    popularity = Popularity(unit_bytes // PAGE, kind.zipf, chance)
    seconds = 0.0
    for _ in range(count):
        seconds += chance.expovariate(REQUESTS_PER_SECOND)
        if chance.random() < kind.streamed:
            unit, stream = chance.choice(streams)
            offset, size = stream.request()
            opcode = "R"
        else:
            unit, size = chance.randrange(units), chance.choice(kind.sizes)
            offset = min(popularity.draw() * PAGE, unit_bytes - size)
            opcode = "W" if chance.random() < kind.writes else "R"
        yield unit, offset, size, opcode, seconds


def write(path, kind, count, units, unit_bytes, seed):
    with open(path, "w", encoding="ascii") as file:
        for unit, offset, size, opcode, seconds in requests(kind, count, units, unit_bytes, seed):
            file.write(f"{unit},{offset // SECTOR},{size},{opcode},{seconds:.6f}\n")
