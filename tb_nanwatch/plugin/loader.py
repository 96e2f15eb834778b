"""What TensorBoard's entry point finds."""

from __future__ import annotations

import argparse

from tensorboard.plugins import base_plugin

from tb_nanwatch.events.format import PLUGIN_NAME


class NanWatchLoader(base_plugin.TBLoader):
    """Loads the plugin, and sees to it that TensorBoard keeps its data."""

    def fix_flags(self, flags: argparse.Namespace) -> None:
        """Keeps all events: TensorBoard keeps 10 of each tag for a plugin that it doesn't know.

        A number that the user gave for this plugin stands. Flags are fixed before data is loaded.
        """
        samples = getattr(flags, "samples_per_plugin", None)
        if samples is None:
            samples = flags.samples_per_plugin = {}
        samples.setdefault(PLUGIN_NAME, 0)

    def load(self, context: base_plugin.TBContext) -> base_plugin.TBPlugin | None:
        """Makes the plugin; None where TensorBoard runs without a data provider."""
        if context.data_provider is None:
            return None
        from tb_nanwatch.plugin.plugin import NanWatchPlugin

        return NanWatchPlugin(context)
