"""The kernels in numpy and plain Python: slow, obvious, and equal to the native ones in every result.

A module here names its kernel in ``__all__``, and so registers it, as the compiled ones register themselves.
"""

from importlib import import_module
from pkgutil import iter_modules

for _found in iter_modules(__path__):
    _module = import_module(f"{__name__}.{_found.name}")
    globals().update({_name: getattr(_module, _name) for _name in getattr(_module, "__all__", ())})
