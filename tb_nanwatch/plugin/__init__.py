"""The TensorBoard plugin. `http_api.md` beside this file is its interface to the page."""
