"""The steps that must happen whole or not at all, as scripts of the server.

A table is a hash ``{p}:table:ID``: ``rev``, ``mark`` (a word that names the commit: a table that a broken server lost
and somebody else brought to the same rev is told apart by it), ``body`` (:mod:`bot.session.saved`). Its views are the
hash ``{p}:views:ID``: ``PLATFORM/VIEW`` -> the view as JSON. The partition shares the sorted sets ``{p}:stale``
(``TABLE/PLATFORM/VIEW``, by the moment it may be shown), ``{p}:engine`` (tables where a machine is to answer) and
``{p}:deadlines`` (tables whose clock runs, by the moment the referee has something to do), the hash ``{p}:sending``
(new messages under way) and the stream ``{p}:events``.

Every script may be sent again when its answer was lost: the second time it finds what the first has done. Moments are
the server's own (``TIME``), so that the clocks of several machines do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Script:
    """A script; ``writes`` when its success proves that the store can be written."""

    text: str
    writes: bool = False


_NOW = """
local function now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end
"""

# What a commit leaves behind, beside the body.
_AFTER = (
    _NOW
    + """
local function settle(fields, table_key, views_key, stale, engine, events, deadlines, arg)
  if arg.ttl == '0' then
    redis.call('PERSIST', table_key)
    redis.call('PERSIST', views_key)
  else
    redis.call('EXPIRE', table_key, arg.ttl)
    redis.call('EXPIRE', views_key, arg.ttl)
  end
  local moment = now()
  if arg.engine == '1' then
    redis.call('ZADD', engine, 'NX', moment, arg.id)
  else
    redis.call('ZREM', engine, arg.id)
  end
  if arg.due == '' then
    redis.call('ZREM', deadlines, arg.id)
  else
    redis.call('ZADD', deadlines, arg.due, arg.id)
  end
  local woken = {'ok'}
  for _, field in ipairs(fields) do
    local member = arg.id .. '/' .. field
    -- NX: a view that a platform asked to leave alone for a while keeps its moment.
    redis.call('ZADD', stale, 'NX', moment, member)
    woken[#woken + 1] = member
  end
  redis.call('XADD', events, 'MAXLEN', '~', arg.events, '*', 'table', arg.id, 'rev', arg.rev, 'act', arg.act)
  redis.call('PUBLISH', arg.channel, arg.id .. ' ' .. arg.rev .. ' ' .. arg.origin)
  return woken
end
"""
)

# A table, for whoever knows it by a mark: without its body where it is still that one. Four words.
_SAVED = """
local function saved(table_key, mark)
  if redis.call('EXISTS', table_key) == 0 then return {'gone', '', '', ''} end
  local found = redis.call('HMGET', table_key, 'rev', 'mark', 'body')
  if not (found[1] and found[2] and found[3]) then return {'damaged', '', '', ''} end
  if found[2] == mark then return {'same', '', '', ''} end
  return {'new', found[1], found[2], found[3]}
end
"""

#: KEYS: table [, source]. ARGV: the mark that the caller knows.
#: -> repeated | gone | damaged | same | new, rev, mark, body
LOAD = Script(
    _SAVED
    + """
if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then return {'repeated'} end
return saved(KEYS[1], ARGV[1])
"""
)

#: A table and all its views on one trip. KEYS: table, views. ARGV: the mark that the caller knows.
#: -> four words as LOAD, the views as JSON...
LOOK = Script(
    _SAVED
    + """
local answer = saved(KEYS[1], ARGV[1])
for _, view in ipairs(redis.call('HVALS', KEYS[2])) do answer[#answer + 1] = view end
return answer
"""
)

#: KEYS: table, views, stale, engine, events, source, deadlines.
#: ARGV: base rev, base mark, rev, mark, body, id, act, engine, seconds to keep (0: for ever), length of the stream,
#: channel, origin, seconds to remember the source, when the referee is due (empty: never).
#: -> ok, stale views... | done (this very commit was there already) | repeated | gone | conflict
COMMIT = Script(
    _AFTER
    + """
local seen = redis.call('GET', KEYS[6])
if seen == ARGV[4] then return {'done'} end
if seen then return {'repeated'} end
local base = redis.call('HMGET', KEYS[1], 'rev', 'mark')
if not base[1] then return {'gone'} end
if base[1] ~= ARGV[1] or base[2] ~= ARGV[2] then return {'conflict'} end
local fields = redis.call('HKEYS', KEYS[2])  -- before the first write: from there on nothing may fail
redis.call('SET', KEYS[6], ARGV[4], 'EX', ARGV[13])
redis.call('HSET', KEYS[1], 'rev', ARGV[3], 'mark', ARGV[4], 'body', ARGV[5])
return settle(fields, KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[7],
  {id = ARGV[6], rev = ARGV[3], act = ARGV[7], engine = ARGV[8], ttl = ARGV[9], events = ARGV[10],
   channel = ARGV[11], origin = ARGV[12], due = ARGV[14]})
""",
    writes=True,
)

#: As COMMIT, for a table that must not exist yet; ARGV 1 and 2 are its first view: field and JSON, or empty.
#: -> ok, stale views... | there
OPEN = Script(
    _AFTER
    + """
if redis.call('EXISTS', KEYS[1]) == 1 then return {'there'} end
local fields = {}
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[6], ARGV[4], 'EX', ARGV[13])
redis.call('HSET', KEYS[1], 'rev', ARGV[3], 'mark', ARGV[4], 'body', ARGV[5])
if ARGV[1] ~= '' then
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  fields = {ARGV[1]}
end
return settle(fields, KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[7],
  {id = ARGV[6], rev = ARGV[3], act = ARGV[7], engine = ARGV[8], ttl = ARGV[9], events = ARGV[10],
   channel = ARGV[11], origin = ARGV[12], due = ARGV[14]})
""",
    writes=True,
)

#: A further view. KEYS: table, views, stale. ARGV: member, field, JSON. -> ok | gone
ATTACH = Script(
    _NOW
    + """
if redis.call('EXISTS', KEYS[1]) == 0 then return {'gone'} end
redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3])
local left = redis.call('PTTL', KEYS[1])
if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
redis.call('ZADD', KEYS[3], 'NX', now(), ARGV[1])
return {'ok'}
""",
    writes=True,
)

#: A view is shown no more. KEYS: views, stale, sending. ARGV: table, view. -> ok
DETACH = Script(
    """
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.match(field, '/(.*)$') == ARGV[2] then
    local member = ARGV[1] .. '/' .. field
    redis.call('HDEL', KEYS[1], field)
    redis.call('ZREM', KEYS[2], member)
    redis.call('HDEL', KEYS[3], member)
  end
end
return {'ok'}
"""
)

#: Take a stale view in hand, with its table.
#: KEYS: stale, views, table, lease, sending. ARGV: member, field, token, milliseconds of the lease, the mark that the
#: caller knows of the table. -> no | wait, milliseconds | yes, view as JSON, four words as LOAD
TAKE = Script(
    _NOW
    + _SAVED
    + """
local due = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not due then return {'no'} end
local early = math.ceil(tonumber(due) - now())
if early > 0 then return {'wait', tostring(early)} end
local view = redis.call('HGET', KEYS[2], ARGV[2])
if not view or redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[5], ARGV[1])
  return {'no'}
end
local holder = redis.call('GET', KEYS[4])
if holder and holder ~= ARGV[3] then
  return {'wait', tostring(math.max(1, redis.call('PTTL', KEYS[4])))}
end
redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[4])
local answer = saved(KEYS[3], ARGV[5])
return {'yes', view, answer[1], answer[2], answer[3], answer[4]}
"""
)

#: The intent to send a new message, written before it is sent. KEYS: sending. ARGV: member, token.
#: -> first | again (an earlier sending never ended: a copy may exist)
INTEND = Script(
    """
local before = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if before and before ~= ARGV[2] then return {'again'} end
return {'first'}
"""
)

#: A view has been shown. KEYS: stale, views, table, lease, sending.
#: ARGV: member, field, token, view before, view now, rev shown, mark shown. -> done | again (something newer is there)
SHOWN = Script(
    _NOW
    + """
if redis.call('GET', KEYS[4]) == ARGV[3] then redis.call('DEL', KEYS[4]) end
local view = redis.call('HGET', KEYS[2], ARGV[2])
if not view then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('HDEL', KEYS[5], ARGV[1])
  return {'done'}
end
if view ~= ARGV[4] and view ~= ARGV[5] then
  -- The lease ran out on the way and another process has shown the view: which of the two came last is not known.
  redis.call('ZADD', KEYS[1], now(), ARGV[1])
  return {'again'}
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[5])
redis.call('HDEL', KEYS[5], ARGV[1])
local saved = redis.call('HMGET', KEYS[3], 'rev', 'mark')
if not saved[1] or (saved[1] == ARGV[6] and saved[2] == ARGV[7]) then
  redis.call('ZREM', KEYS[1], ARGV[1])
  return {'done'}
end
redis.call('ZADD', KEYS[1], now(), ARGV[1])
return {'again'}
"""
)

#: A view could not be shown now. KEYS: stale, lease, sending. ARGV: member, token, milliseconds, sent (0: surely not).
#: -> ok
DEFER = Script(
    _NOW
    + """
if redis.call('GET', KEYS[2]) == ARGV[2] then redis.call('DEL', KEYS[2]) end
if ARGV[4] == '0' and redis.call('HGET', KEYS[3], ARGV[1]) == ARGV[2] then redis.call('HDEL', KEYS[3], ARGV[1]) end
redis.call('ZADD', KEYS[1], 'XX', now() + ARGV[3], ARGV[1])
return {'ok'}
"""
)

#: The holder of a lease is still at work. KEYS: lease. ARGV: token, milliseconds. -> ok
RENEW = Script(
    """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {'ok'}
"""
)

#: A table that is gone has no deadline. KEYS: table, deadlines. ARGV: table. -> ok
FORGET = Script(
    """
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('ZREM', KEYS[2], ARGV[1]) end
return {'ok'}
"""
)

#: The service is up. The latest of all processes counts; but a moment further ahead than their clocks can differ was
#: written by a clock that was wrong. KEYS: heartbeat. ARGV: now, the most by which clocks differ (ms). -> ok
BEAT = Script(
    """
local before = tonumber(redis.call('GET', KEYS[1]))
local ahead = before and before - tonumber(ARGV[1])
if not (ahead and ahead > 0 and ahead < tonumber(ARGV[2])) then redis.call('SET', KEYS[1], ARGV[1]) end
return {'ok'}
""",
    writes=True,
)

#: Read a value and forget it. KEYS: value. -> value or nil
TAKE_VALUE = Script(
    """
local value = redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1])
return {value}
"""
)
