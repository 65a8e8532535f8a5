"""Graphs in the formats of the systems that near_local compares with."""

import contextlib
import json
import pathlib
import shutil
import struct
import subprocess
import tempfile

import numpy

from harness.programs import Failed, run

SG_HEADER = struct.Struct("<?qq")  # directed, edges, vertices; docs/input-formats.md
GBBS_HEADER = struct.Struct("<qqq")  # vertices, edges, bytes of the file
OFFSET_BYTES, TARGET_BYTES = 8, 4
ARRAY_HEADER_BYTES = 4096  # docs/file-format.md


@contextlib.contextmanager
def edge_list(path):
    """A plain copy without comments under a name that tells GAPBS whether there are weights: .el or .wel."""
    ending = ".wel" if ".wel" in path.suffixes else ".el"
    with tempfile.NamedTemporaryFile(prefix="fargraph-edges-", suffix=ending) as plain:
        if path.suffix == ".zst":
            command = ["zstd", "--decompress", "--stdout", path]
        else:
            command = ["zcat", "--force", path]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
            plain.writelines(line for line in reader.stdout if not line.startswith(b"#"))
        if reader.returncode != 0:
            raise Failed(f"{path} cannot be read; {command[0]} ended with {reader.returncode}")
        plain.flush()
        yield plain.name


def convert_twice(converter, source, unweighted, weighted):
    """Lets GAPBS' converter write the graph with weights and without; it forgets to fail when it cannot."""
    for flags, output in (([], unweighted), (["-w"], weighted)):
        said, _ = run([converter, *source, *flags, "-b", output])
        if not pathlib.Path(output).exists():
            raise Failed(f"{converter} did not write {output}: {said.strip()}")


def write_serialized(graph, output_path, weighted):
    """Makes a .sg or .wsg file of a graph directory, whose order becomes that of the ids."""
    manifest = json.loads((graph / "manifest.json").read_text())

    def array(name):
        stored = manifest["arrays"][name]
        return numpy.fromfile(graph / name, stored["type"], stored["elements"], offset=ARRAY_HEADER_BYTES)

    with open(output_path, "wb") as output:
        output.write(SG_HEADER.pack(not manifest["symmetric"], manifest["edges"], manifest["vertices"]))
        for direction in ["out"] if manifest["symmetric"] else ["out", "in"]:
            array(f"{direction}.index").tofile(output)
            targets = array(f"{direction}.edges").astype("int32", copy=False)
            if weighted:
                targets = numpy.stack([targets, array(f"{direction}.weights").astype("int32", copy=False)], axis=1)
            targets.tofile(output)


def write_gbbs(serialized_path, output_path):
    """Makes GBBS' binary format of an undirected .sg file; of a directed one nothing."""
    with open(serialized_path, "rb") as serialized:
        directed, edges, vertices = SG_HEADER.unpack(serialized.read(SG_HEADER.size))
        if directed:
            return
        # Both formats go on with the offsets of all vertices, then all targets, in the same types.
        size = GBBS_HEADER.size + OFFSET_BYTES * (vertices + 1) + TARGET_BYTES * edges
        with open(output_path, "wb") as output:
            output.write(GBBS_HEADER.pack(vertices, edges, size))
            shutil.copyfileobj(serialized, output, 1 << 20)
