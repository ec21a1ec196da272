"""Life cycle of a tracked card: detection, association, landing, occlusion, departure and publishing."""
