"""How Sphinx builds these pages: ``make docs``."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import api  # noqa: E402 (it lies beside this file)
from sphinx.util.nodes import make_refnode  # noqa: E402

import luciole  # noqa: E402

project = "luciole"
author = copyright = "the luciole developers"
version = release = luciole.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery/*.ipynb", "gallery/*.py", "gallery/*.json", "gallery/*.zip", "sg_execution_times.rst",
                    "gallery/sg_execution_times.rst"]
nitpicky = True

# -- pages in Markdown
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

# -- the reference, written from what the package makes public
api.write(HERE / "reference")
default_role = "py:obj"  # `minimize` in a docstring is a link
add_module_names = False
toc_object_entries_show_parents = "hide"
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"  # the Parameters sections have them, for people
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": "BaseSearchCV, BaseSampler, Mapping, dict, Exception, tuple"}
numpydoc_show_class_members = False  # the page of a class has its members below
nitpick_ignore_regex = [
    (r"py:.*", r"(concurrent|numpy|np|pandas|matplotlib|scipy|sklearn|optuna|pathlib|typing|collections|ConfigSpace)(\..*)?"),
    (r"py:obj", r".*[^\w.].*"),  # an expression in single backticks
    (r"py:obj", r"[a-z_]+\w*"),  # a parameter
    (r"py:obj", r"[A-Z][A-Z_]+"),  # a constant
]


def find_by_short_name(app, env, node, contnode):
    """A class, an exception or a function is a link from any module by the last part of its name, `luciole.__all__` first."""
    objects = env.domains["py"].objects
    name = node.get("reftarget", "")
    full = [each for each, entry in objects.items()
            if each.endswith(f".{name}") and entry.objtype in ("class", "exception", "function")]
    full = [f"luciole.{name}"] if f"luciole.{name}" in full else full
    if node.get("refdomain") != "py" or len(full) != 1:
        return None
    return make_refnode(app.builder, node["refdoc"], objects[full[0]].docname, objects[full[0]].node_id, contnode)


def setup(app):
    """What no extension does."""
    app.connect("missing-reference", find_by_short_name)


# -- the gallery
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "plot_gallery": os.environ.get("LUCIOLE_GALLERY", "run") == "run",
    "nested_sections": False,
    "min_reported_time": 1e9,
    "show_signature": False,
    "thumbnail_size": (480, 240),
}

# -- how it looks
html_theme = "pydata_sphinx_theme"
html_title = "luciole"
templates_path = ["_templates"]
html_static_path = ["_static"]
html_css_files = ["luciole.css"]
html_show_sourcelink = False
html_theme_options = {
    "show_toc_level": 2,
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"start/tutorial": [], "project/changes": []}

# -- links: within the pages all are checked (tools/check_links.py); other people's sites only with `sphinx-build -b linkcheck`
linkcheck_ignore = [r"https?://doi\.org/.*", r"https?://localhost.*"]
linkcheck_timeout = 10
