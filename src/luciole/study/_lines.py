"""Where things stand in a TOML document: tomllib reads values but forgets their lines."""

import re
import tomllib

Path = tuple[str | int, ...]
"""The way to a value: keys of tables and positions in arrays."""

TOKEN = re.compile(r'''(?P<skip>[ \t\r]+|\#[^\n]*)
    | (?P<long>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5})
    | (?P<text>"(?:\\.|[^"\\\n])*"|'[^'\n]*')
    | (?P<mark>[\[\]{}=,\n])
    | (?P<bare>[^\s\[\]{}=,\#"']+)''', re.VERBOSE | re.DOTALL)


def lines_of(document: str) -> dict[Path, int]:
    r"""The line, from 1, of every value and table of a valid TOML document.

    Examples
    --------
    >>> lines_of('budget = 5\nmethods = [\n  "fa",\n  { method = "ga" },\n]')["methods", 1, "method"]
    4
    """
    return _Walk(document).lines


class _Walk:
    """One pass over the tokens of a document."""

    def __init__(self, document: str) -> None:
        self.lines: dict[Path, int] = {}
        self.tokens: list[tuple[str, int]] = []
        line = 1
        for match in TOKEN.finditer(document):
            if match.lastgroup != "skip":
                self.tokens.append((match.group(), line))
            line += match.group().count("\n")
        self.at = 0
        self.arrays: dict[Path, int] = {}  # how many tables each array of tables has so far
        table: Path = ()
        while self.at < len(self.tokens):
            if self.here == "\n":
                self.at += 1
            elif self.here == "[":
                table = self.header()
            else:
                self.entry(table)

    @property
    def here(self) -> str:
        return self.tokens[self.at][0]

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][0]

    def key(self, end: str) -> list[str]:
        """The parts of a key that may have dots and quotes."""
        parts: list[str] = []
        while self.here != end:
            token = self.take()
            parts += list(tomllib.loads(f"{token} = 0")) if token[0] in "\"'" else [each for each in token.split(".") if each]
        return parts

    def header(self) -> Path:
        """``[table]`` or ``[[array.of.tables]]``."""
        line = self.tokens[self.at][1]
        self.take()
        is_array = self.here == "["
        if is_array:
            self.take()
        path: Path = ()
        parts = self.key("]")
        for number, part in enumerate(parts, 1):
            path += (part,)
            if is_array and number == len(parts):
                self.arrays[path] = self.arrays.get(path, 0) + 1
                self.lines.setdefault(path, line)
            if path in self.arrays:
                path += (self.arrays[path] - 1,)
        self.lines[path] = line
        self.take()
        if is_array:
            self.take()
        return path

    def entry(self, table: Path) -> None:
        """``key = value``."""
        line = self.tokens[self.at][1]
        path = table
        for part in self.key("="):
            path += (part,)
            self.lines[path] = line
        self.take()
        self.value(path)

    def value(self, path: Path) -> None:
        """Anything that may stand to the right of an equals sign or in an array."""
        self.lines[path] = self.tokens[self.at][1]
        opening = self.take()
        if opening not in "[{":
            while self.at < len(self.tokens) and self.here not in ("\n", ",", "]", "}"):  # dates have two parts
                self.take()
            return
        closing, count = {"[": "]", "{": "}"}[opening], 0
        while self.here != closing:
            if self.here in ("\n", ","):
                self.take()
            elif closing == "}":
                self.entry(path)
            else:
                self.value((*path, count))
                count += 1
        self.take()
