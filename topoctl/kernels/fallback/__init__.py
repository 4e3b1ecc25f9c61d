"""The kernels in numpy and plain Python: slow, obvious, and equal to the native ones in every result.

A kernel is found by its file: a file or folder here holds the kernels that its ``__all__`` names. The public
function of the same name in ``topoctl.kernels`` documents and validates the arguments. `threads` makes no
difference here.
"""

from importlib import import_module
from pkgutil import iter_modules

__all__: list[str] = []

for _file in iter_modules(__path__, f"{__name__}."):
    _module = import_module(_file.name)
    if hasattr(_module, "__all__"):
        __all__ += _module.__all__
        globals().update({name: getattr(_module, name) for name in _module.__all__})
