"""Two traces of one invocation beside each other."""
