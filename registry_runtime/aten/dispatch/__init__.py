"""Which kernel a call comes to: keys, sets of keys, an operator's table, and the dispatcher."""
