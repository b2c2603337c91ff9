"""Apps that speak `ext.dusk.*`, Tapir's predecessor, made to answer as Tapir does."""
