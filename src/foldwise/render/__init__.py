"""How documents are laid out: text, HTML, Markdown, LaTeX, plots, the paper kit."""
