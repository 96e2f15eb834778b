"""From records to alerts: the same engine online in the callback and offline in the plugin. Needs NumPy alone."""
