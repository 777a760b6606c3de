/**
 * The one table, as plain data: the embedded host creates it, and infra/ deploys it, from this same value.
 *
 * Access patterns, each a named list of the SDL or a worker's question:
 *
 *   a case and all that belongs to it             table      pk = …CASE#<case>
 *   cases by status, oldest first                 byStatus   pk = …CASES#STATUS#<status>     sk = openedAt, id
 *   officers by state                             byStatus   pk = …OFFICERS#<state>          sk = id
 *   cases a lead officer has                      byLead     pk = …CASES#LEAD#<officer>      sk = openedAt, id
 *   cases of a region by due date                 byRegion   pk = …CASES#REGION#<region>     sk = dueAt, id
 *   open tasks of an officer, by due date         byLead     pk = …TASKS#OFFICER#<officer>   sk = dueAt, id
 *   open tasks of a team, by due date             byRegion   pk = …TASKS#TEAM#<team>         sk = dueAt, id
 *   executions in a status, newest first          byStatus   pk = …EXECUTIONS#STATUS#<status>    sk = startedAt, name
 *   executions about a case or officer            byLead     pk = …EXECUTIONS#ABOUT#<aggregate>  sk = startedAt, name
 *   executions of a machine                       byRegion   pk = …EXECUTIONS#MACHINE#<machine>  sk = startedAt, name
 *   findings in a status, oldest first            byStatus   pk = …FINDINGS#STATUS#<status>  sk = firstSeenAt, id
 *   findings about a case or officer              byLead     pk = …FINDINGS#ABOUT#<aggregate>  sk = firstSeenAt, id
 *   closed cases by the end of their time         pending    pk = …CASES#TO_DISPOSE          sk = disposeAfter, id
 *   what waits: outbox, effects, dead messages,   pending    pk = PENDING#<kind>#<shard>     sk = since, key
 *   leases that are held
 *
 * Indexes hold keys only: they find, a consistent batch read confirms, they never decide correctness.
 */
export const tableDefinition = {
  keys: { partition: 'pk', sort: 'sk' },
  indexes: [
    { name: 'byStatus', partition: 'byStatusPk', sort: 'byStatusSk' },
    { name: 'byLead', partition: 'byLeadPk', sort: 'byLeadSk' },
    { name: 'byRegion', partition: 'byRegionPk', sort: 'byRegionSk' },
    { name: 'pending', partition: 'pendingPk', sort: 'pendingSk' },
  ],
  /** Whole seconds; a removed item was expired already, since every reader checks. */
  timeToLive: 'expiresAt',
  /** New images feed the publisher; on one machine a client middleware does (docs/decisions). */
  stream: 'NEW_IMAGE',
  /** What the publisher's stream filter matches: inserted outbox items. */
  streamFilter: { eventName: ['INSERT'], dynamodb: { NewImage: { itemType: { S: ['OutboxMessage'] } } } },
} as const;
