"""What is this user's, in their folders: settings, recent files, and the one way to write safely."""
