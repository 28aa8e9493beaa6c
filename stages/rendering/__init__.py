"""Templates, Markdown, HTML and SVG."""
