"""An app as the engine sees it: something that answers verbs and reports events."""
