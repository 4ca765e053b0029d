"""The command line, behind the extra `cli`: `tokenbench demo | tasks | items | … | attack`."""

import sys

from tokenbench.errors import missing_extra


def main() -> None:
    """Run the command line and exit with its status; without typer or rich, say what to install.

    The statuses: 0 all done; 1 done, but lines were skipped or a check of the demo failed; 2 wrong
    usage or a fatal error; 130 after Ctrl-C, 143 after SIGTERM; 141 when the reader of a pipe left.
    """
    try:
        from tokenbench.cli.app import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("typer", "rich"):
            raise
        sys.stderr.write(f"error: {missing_extra('the command line', 'cli')}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    run()
