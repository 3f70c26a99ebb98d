"""The projections that come with Fairdeal."""
