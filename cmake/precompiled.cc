// Nothing: what is precompiled belongs to a target, and a target has a source.
