"""Apps that are started, or were started by other tools: where their VM Service is."""
