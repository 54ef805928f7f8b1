"""The screens: the stepper, and those that open over it and close again."""
