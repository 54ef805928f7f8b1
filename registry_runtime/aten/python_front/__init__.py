"""From Python to the dispatcher: what happens in PyTorch before an operator is called."""

from registry_runtime.aten.python_front.front import PythonFront

__all__ = ["PythonFront"]
