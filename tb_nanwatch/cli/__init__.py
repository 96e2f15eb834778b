"""The command line, `tb-nanwatch`."""
