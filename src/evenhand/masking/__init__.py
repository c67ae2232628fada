"""Résumés without what tells who the person is."""
