"""The documentation site: Sphinx with MyST and furo, built from a checkout without the network."""

import sys
from pathlib import Path

import topoctl

HERE = Path(__file__).parent
EXTENSIONS = HERE / "_ext"
sys.path[:0] = [str(EXTENSIONS), str(HERE)]

project = "topoctl"
author = "The topoctl developers"
version = release = topoctl.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    *sorted(path.stem for path in EXTENSIONS.glob("[!_]*.py")),
]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

default_role = "code"  # as docstrings use single backticks
smartquotes_action = "D"  # dashes alone: k' is no quotation

# Types of other packages have no page here.
nitpick_ignore_regex = [("py:.*", r"(?!topoctl\.).*"), ("py:.*", r"topoctl\.\w+\..*")]
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_type_aliases = {"NDArray": "NDArray", "ArrayLike": "ArrayLike"}
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = "topoctl"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = html_show_copyright = False
copybutton_prompt_text = r"\$ |> |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
