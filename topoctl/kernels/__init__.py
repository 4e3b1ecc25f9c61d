"""Kernels: arrays in, integers out.

Every kernel has one public function here, which validates its arrays and calls the backend: the compiled
extension, or the numpy implementation of the same interface where the extension could not be built.
``TOPOCTL_KERNEL=native|numpy`` forces one of them.
"""
