"""Names of tables and keys."""

from __future__ import annotations

import re

from redis.crc import key_slot

from bot.session.ids import PARTITIONS, derived_id, key, new_id, partition, shared, tag


class TestIds:
    def test_random_ids_are_ten_characters_and_differ(self) -> None:
        """A table id is ten characters of a-z2-7 and fits a button."""
        ids = {new_id() for _ in range(1_000)}
        assert len(ids) == 1_000
        assert all(re.fullmatch("[a-z2-7]{10}", one) for one in ids)

    def test_derived_ids_depend_on_secret_and_source(self) -> None:
        """The same delivery names the same table; another secret or delivery another one."""
        one = derived_id(b"secret", "tg:update:1")
        assert re.fullmatch("[a-z2-7]{10}", one)
        assert one == derived_id(b"secret", "tg:update:1")
        assert one != derived_id(b"secret", "tg:update:2")
        assert one != derived_id(b"other", "tg:update:1")


class TestKeys:
    def test_a_partition_never_changes(self) -> None:
        """Keys written by one version are found by the next."""
        assert [partition(name) for name in ("abcdefghij", "tg:1", "")] == [58, 49, 0]
        assert key("table", "abcdefghij") == "{p58}:table:abcdefghij"
        assert shared(7, "stale") == "{p07}:stale"

    def test_ids_spread_over_all_partitions(self) -> None:
        """No partition is left out, none is crowded."""
        counts = [0] * PARTITIONS
        for number in range(6_400):
            counts[partition(f"table{number:05d}")] += 1
        assert min(counts) > 40
        assert max(counts) < 200

    def test_everything_of_one_table_lives_in_one_slot(self) -> None:
        """One script may touch all of a table on a Redis Cluster."""
        for one in (new_id() for _ in range(100)):
            number = partition(one)
            keys = [key(kind, one) for kind in ("table", "views")]
            keys += [shared(number, kind) for kind in ("stale", "engine", "events", "sending")]
            keys += [key("source", one, "tg:update:{1}"), key("lease", one, "tg/{v}"), tag(number)]
            assert len({key_slot(name.encode()) for name in keys}) == 1
