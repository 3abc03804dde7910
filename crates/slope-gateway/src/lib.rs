//! Model gateway: dialects, accounting, scripted upstream.
