"""``python -m foldwise`` is the command line."""

from foldwise.cli.main import main

if __name__ == "__main__":
    main()
