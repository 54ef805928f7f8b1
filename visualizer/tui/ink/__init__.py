"""How words become rows of the screen: panes, listings, colours, signs."""
