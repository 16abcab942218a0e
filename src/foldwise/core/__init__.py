"""Foundations shared by every room: errors, validation, small types, random streams."""
