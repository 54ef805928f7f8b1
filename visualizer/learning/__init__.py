"""Lessons: what they say (`lesson`), where they lead (`places`), what they ask (`truth`), how exercises
are checked (`checks`), and how far a learner has come (`progress`).

A lesson is text. Whatever it asserts about macros, the registry or kernels is worked out by the engine
at the moment at which it is asked, so a lesson can't be wrong about them without a test that says so.
"""
