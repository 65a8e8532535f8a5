import pytest

import real_graphs


@pytest.fixture(scope="session")
def graphs(tmp_path_factory):
    """The real graphs by name, converted when a test first asks."""
    if not real_graphs.available():
        pytest.skip(f"the real graphs are not in {real_graphs.DATA}; set FARGRAPH_DATA_DIR to where they are")
    folder = tmp_path_factory.mktemp("graphs")
    return {name: real_graphs.RealGraph(name, folder) for name in real_graphs.INPUTS}
