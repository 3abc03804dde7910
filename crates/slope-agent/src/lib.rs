//! Agent adapters and slope's own minimal agent.
