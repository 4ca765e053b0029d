"""The command line, behind the extra `cli`: `tokenbench demo | tasks | items | … | attack`."""

import sys

from tokenbench.errors import MissingExtraError, require_extra


def main() -> None:
    """Run the command line and exit with its status; without typer or rich, say what to install.

    The exit status is 0 if everything worked; 1 if lines were skipped or a check failed; 2 after
    wrong usage or a fatal error; 130 after Ctrl-C; 141 if the reader of a pipe
    closed it.
    """
    try:
        require_extra("the command line", "cli", "rich", "typer")
        from tokenbench.cli.app import run
    except MissingExtraError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    run()
