"""Failing assertions in the conversations show their values, like those in test files."""

import pytest

pytest.register_assert_rewrite(
    "tests.conversation",
    "tests.conversation.conversations",
    "tests.conversation.telegram",
    "tests.conversation.web",
)
