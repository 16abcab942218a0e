"""One module per paper: each table and figure as a runnable study, with the printed values beside ours."""
