"""Companies as operators see them: suspended, resumed, extended, exported, erased."""
