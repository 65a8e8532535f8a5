import pytest

from harness import far_tier
from harness.programs import Failed


@pytest.fixture(name="gids")
def fixture_gids(tmp_path, monkeypatch):
    """Writes the GID table of a device."""
    monkeypatch.setattr(far_tier, "RDMA_DEVICES", tmp_path)

    def write(device, *gids):
        folder = tmp_path / device / "ports/1/gids"
        folder.mkdir(parents=True)
        for index, gid in enumerate(gids):
            (folder / str(index)).write_text(f"{gid}\n")
    return write


def test_a_memory_node_is_reached_at_the_rdma_device(gids):
    gids("mlx5_0", "fe80:0000:0000:0000:0000:0000:0000:0001", "0000:0000:0000:0000:0000:0000:0000:0000")
    gids("mlx5_1", "fe80:0000:0000:0000:0000:0000:0000:0002", "0000:0000:0000:0000:0000:ffff:0a00:0102")
    assert far_tier.rdma_address() == "10.0.1.2"


def test_a_device_without_an_address_is_told_so(gids):
    gids("mlx5_0", "fe80:0000:0000:0000:0000:0000:0000:0001")
    with pytest.raises(Failed, match="no RDMA device of this host has an IPv4 address"):
        far_tier.rdma_address()
