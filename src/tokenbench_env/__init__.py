"""Our tasks as verifiers finds them: by the name of a package, `tokenbench-env`.

verifiers 0.1 looks for `load_environment` in it; from 0.2 on, for the one taskset that it exports.
"""

try:
    from verifiers.v1 import TaskData  # not in 0.1, which has a `v1` of another kind
except ImportError:
    from tokenbench.integrations.verifiers import load_environment as load_environment

    __all__ = ["load_environment"]
else:
    from tokenbench.integrations.verifiers_taskset import TokenbenchTaskset as TokenbenchTaskset

    __all__ = ["TokenbenchTaskset"]
    del TaskData
