"""Makes reports from a run log. No report knows the engine, so a killed run has its reports too."""
