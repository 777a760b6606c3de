import { caseStatuses, type Case, type CaseStatus } from '../domain/case/case.ts';
import { roles, type Role } from '../domain/command.ts';
import type { OfficerId } from '../domain/ids.ts';
import { officerStates, type Officer } from '../domain/officer/officer.ts';
import {
  allowedOnOfficer,
  officerRules,
  permittedOnOfficer,
  type OfficerCommandName,
} from '../domain/officer/officerPolicy.ts';
import { operationRules, type OperationName } from '../domain/operations/rules.ts';
import { taskStatuses } from '../domain/task/task.ts';
import {
  allowedOnTask,
  permittedOnTask,
  taskCommands,
  type TaskAccess,
  type TaskCommandName,
} from '../domain/task/taskPolicy.ts';
import {
  allowedFrom,
  caseRules,
  permissions,
  permittedOn,
  type CaseCommandName,
  type Relation,
} from '../domain/policy.ts';

/** Who may, and from where: asked of the policy itself, one role and one relation at a time. */
export type Who = { roles: Role[]; relations: Relation[]; from: string[]; note?: string };

const relations: readonly Relation[] = ['lead', 'investigator', 'reviewer', 'submitter'];
const somebody = 'somebody' as OfficerId;

export function whoMay(command: string): Who {
  if (command in caseRules) return ofCase(command as CaseCommandName);
  if (command in officerRules) return ofOfficer(command as OfficerCommandName);
  if (isTaskCommand(command)) return ofTask(command);
  if (command in operationRules) return ofOperation(command as OperationName);
  return {
    roles: command === 'openCase' ? ['CASE_OFFICER', 'SUPERVISOR'] : ['SUPERVISOR'],
    relations: [],
    from: ['nothing: it begins'],
  };
}

function ofCase(command: CaseCommandName): Who {
  const from = caseStatuses.filter((status) => !allowedFrom(command, { status } as Case));
  const may = (status: CaseStatus, held: Role[], related: Relation[]) =>
    !permittedOn(command, { actor: { id: somebody, roles: held }, relations: new Set(related) }, { status } as Case);
  const rolesIn = (status: CaseStatus) => roles.filter((role) => may(status, [role], []));
  const relationsIn = (status: CaseStatus) => relations.filter((relation) => may(status, [], [relation]));
  const told = (status: CaseStatus) => [...relationsIn(status), ...rolesIn(status)].join(', ');
  const differs = new Set(from.map(told)).size > 1;
  return {
    roles: roles.filter((role) => from.some((status) => rolesIn(status).includes(role))),
    relations: relations.filter((relation) => from.some((status) => relationsIn(status).includes(relation))),
    from,
    ...(differs && { note: from.map((status) => `${status}: ${told(status)}`).join('; ') }),
  };
}

const isTaskCommand = (command: string): command is TaskCommandName =>
  (taskCommands as readonly string[]).includes(command);

function ofTask(command: TaskCommandName): Who {
  const may = (held: Role[], related: Relation[], task: Partial<TaskAccess> = {}) => {
    const access = {
      actor: { id: somebody, roles: held },
      relations: new Set(related),
      assignee: false,
      inTeam: false,
    };
    return !permittedOnTask(command, { ...access, ...task });
  };
  const whose = [
    ...(may([], [], { assignee: true }) ? ['who has it'] : []),
    ...(may([], [], { inTeam: true }) ? ['its team'] : []),
    ...(may(['OPERATOR'], [], { inTeam: true }) ? ['operators where the team is OPERATIONS'] : []),
  ];
  return {
    roles: roles.filter((role) => may([role], [])),
    relations: relations.filter((relation) => may([], [relation])),
    from: taskStatuses.filter((status) => !allowedOnTask(command, { status, type: 'GENERAL' })),
    note: `of the task: ${whose.join(', ') || 'nobody'}; the status is the task's`,
  };
}

const ofOperation = (command: OperationName): Who => ({
  roles: [...permissions.OPERATE],
  relations: [],
  from: [...operationRules[command]],
  note: 'the status is that of what the act is about',
});

const ofOfficer = (command: OfficerCommandName): Who => ({
  roles: roles.filter((role) => !permittedOnOfficer({ id: somebody, roles: [role] })),
  relations: [],
  from: officerStates.filter((state) => !allowedOnOfficer(command, { state } as Officer)),
});
