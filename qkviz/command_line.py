"""Reading a command line whose help and errors are in the language of the interface.

``argparse`` takes its own texts from the language of the process, in words of its own; the few of them that a
person can meet are said here, and an error is a `Refusal` like every other, not an end of the process.
"""

from __future__ import annotations

import argparse
import locale
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from qkviz.translate import LANGUAGES, N_, Phrase, Refusal, _, language_for

_ARGPARSE_SAYS = {
    "expected one argument": N_("a value is missing"),
    "expected at least one argument": N_("a value is missing"),
}


class CommandLine(argparse.ArgumentParser):
    """The options of one command.

    Parameters
    ----------
    program
        As typed: ``qkviz export``.
    usage
        What follows the program's name.
    description, epilog
        For the help, translated; lines stay as they are.
    """

    def __init__(self, program: str, usage: str, description: str, epilog: str) -> None:
        super().__init__(
            program,
            usage=f"{program} {usage}",
            description=description,
            epilog=epilog,
            formatter_class=_Formatter,
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
        )
        self.options = self.add_argument_group(_("Options"))
        self.options.add_argument("-h", "--help", action="help", help=_("print this help and stop"))
        self.options.add_argument(
            "--lang",
            metavar="|".join(LANGUAGES),
            type=one_of(LANGUAGES),
            help=_("language of the texts; without it, that of the system"),
        )

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Return the options in ``words``.

        Raises
        ------
        Refusal
            If one cannot be read; names it.
        """
        try:
            options, unread = self.parse_known_args(words)
        except argparse.ArgumentError as error:
            said = error.message
            problem = _(_ARGPARSE_SAYS[said]) if said in _ARGPARSE_SAYS else said
            named = Phrase("{option}: {problem}", option=error.argument_name, problem=problem)
            raise self.refusal(named) from None
        if unread:
            raise self.refusal(Phrase("“{word}” is not understood", word=unread[0]))
        return options

    def refusal(self, problem: Phrase) -> Refusal:
        """Return the refusal that says ``problem`` and where to read on."""
        return Refusal("{problem}; see {program} --help.", problem=problem, program=self.prog)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, prefix or _("Usage: "))


def one_of(choices: Iterable[str]) -> Callable[[str], str]:
    """Return the type of an option that takes one of ``choices``."""
    words = tuple(choices)

    def read(word: str) -> str:
        if word in words:
            return word
        problem = _("there is no “{word}”, only {choices}", word=word, choices=", ".join(words))
        raise argparse.ArgumentTypeError(problem)

    return read


def whole_number(word: str) -> int:
    """Read the value of an option that takes a whole number above 0."""
    if word.isascii() and word.isdigit() and len(word) < 10 and int(word) > 0:
        return int(word)
    raise argparse.ArgumentTypeError(_("“{word}” is not a whole number above 0", word=word))


def language_of(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return the language of errors and help: that of ``--lang`` where it is sound, else the system's."""
    for index, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option == "--lang":
            value = value if equals else "".join(words[index + 1 : index + 2])
            if value in LANGUAGES:
                return value
    return language_for(_system_languages(environment))


def _system_languages(environment: Mapping[str, str]) -> list[str]:
    """Return the language tags of the process, most wanted first, as POSIX names them."""
    if sys.platform == "win32" and "LANG" not in environment:
        import ctypes  # noqa: PLC0415  only there

        return [locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "en")]
    tags = [*environment.get("LANGUAGE", "").split(":")]
    tags += [environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    return [tag.split(".")[0] for tag in tags if tag]
