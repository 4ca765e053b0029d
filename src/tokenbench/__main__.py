"""`python -m tokenbench` is the command `tokenbench`."""

from tokenbench.cli import main

if __name__ == "__main__":
    main()
