"""Check the links of built pages: ``python tools/check_links.py docs/_build/html``.

A link or picture within the pages has to lead to a file that is there, and to an anchor that the file has. Links to other sites
are only checked for their form and counted by site, as there may be no network; ``--external`` lists them.
"""

import argparse
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src", "iframe": "src"}
SCHEMES = {"https", "http", "mailto"}


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors = {"", "top"}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where it leads and what it can be found by."""
        given = dict(attrs)
        self.anchors.update(value for key in ("id", "name") if (value := given.get(key)))
        target = given.get(LINKS.get(tag, ""))
        if target and given.get("rel") not in ("preconnect", "dns-prefetch"):
            self.links.append(target)


def check(root: Path) -> tuple[int, list[str], list[str]]:
    """How many pages there are, what is wrong with their links, and the links to other sites."""
    pages = {path.resolve(): Page(path) for path in sorted(root.rglob("*.html")) if "_static" not in path.relative_to(root).parts}
    wrong, external = [], []
    for path, page in pages.items():
        for link in page.links:
            problem = fault(link, path, root.resolve(), pages)
            if problem:
                wrong.append(f"{path.relative_to(root.resolve())}: {link}: {problem}")
            elif urlsplit(link).netloc:
                external.append(link)
    return len(pages), wrong, external


def fault(link: str, home: Path, root: Path, pages: dict[Path, Page]) -> str:
    """What is wrong with a link on a page, if anything."""
    parts = urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        good = not parts.scheme or (parts.scheme in SCHEMES and (parts.netloc or parts.scheme == "mailto"))
        return "" if good and not any(each.isspace() for each in link) else "not the form of an address"
    place = unquote(parts.path)
    target = (root / place.lstrip("/") if place.startswith("/") else home.parent / place).resolve() if place else home
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "there is no such file"
    if target in pages and unquote(parts.fragment) not in pages[target].anchors:
        return "the page has no such anchor"
    return ""


def main() -> int:
    """Check, print, and return 1 if a link leads nowhere."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, help="the folder of the built pages")
    parser.add_argument("--external", action="store_true", help="list the links to other sites")
    options = parser.parse_args()
    number, wrong, external = check(options.root)
    if not number:
        print(f"{options.root} has no pages", file=sys.stderr)
        return 1
    for line in sorted(set(external)) if options.external else wrong:
        print(line)
    sites = Counter(urlsplit(link).netloc for link in set(external))
    print(f"{number} pages, {len(wrong)} broken links; not followed: "
          + (", ".join(f"{count} to {site}" for site, count in sites.most_common()) or "none"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
