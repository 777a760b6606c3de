import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RegistryAnswer } from '../../../domain/ports.ts';
import { httpRegistry } from '../../../gateways/registry.ts';
import { startRegistry } from '../../../local/registry/startRegistry.ts';
import { recordAnswer } from '../../../workflows/registration/callback.ts';
import type { ActionInput } from '../../../workflows/task.ts';
import { startMachines, type MachineHost } from '../machineHost.ts';
import { accepted, fakeRegistry, refused } from '../parties.ts';
import { standing, startStage, submitted, type Stage } from '../stage.ts';

let stage: Stage;
let host: MachineHost;
let registry: ReturnType<typeof fakeRegistry>;
let input: ActionInput;
let number: string;
beforeAll(async () => {
  stage = await startStage();
  host = await startMachines(stage);
});
beforeEach(async () => {
  host.together();
  input = await submitted(stage);
  host.together();
  registry = fakeRegistry();
  number = `R-${input.actionId}`;
});
afterAll(async () => {
  await host.stop();
  await stage.stop();
});

const minute = 60_000;
const hour = 60 * minute;
/** The registry decides, and calls back. */
const callsBack =
  (...answers: (RegistryAnswer & { status: 'ACCEPTED' | 'REFUSED' })[]) =>
  async () => {
    registry.decides(answers[0]!);
    for (const answer of answers)
      await recordAnswer(host.store, { key: [...registry.applications.keys()][0]!, answer });
  };
const now = () => standing(stage, 'REGISTRATION', input);
const registered = async () => {
  const { case: current, action, row } = await now();
  expect([current.status, current.openEffects, action.status, action.registryNumber, row.status]).toEqual([
    ...['REGISTERED', 0, 'REGISTERED', number, 'CONFIRMED'],
  ]);
};
const failedRegistration = async (row = 'FAILED_FINAL') => {
  const found = await now();
  expect([found.case.status, found.case.openEffects, found.action.status, found.row.status]).toEqual([
    ...['ENFORCEMENT', 0, 'REGISTRATION_FAILED', row],
  ]);
};
const states = (executions: { states: string[] }[]) => executions.map((execution) => execution.states);
const waits = ['PrepareSubmission', 'StillCurrent', 'SubmitAndAwaitAnswer'];

describe('a submission is registered', () => {
  it('when the registry answers at once', async () => {
    registry.atOnce = () => accepted(number);
    expect(states(await host.carryOut('registration', { registry }))).toEqual([
      [...waits, 'RecordRegistration', 'RegistrationRecorded', 'Registered'],
    ]);
    await registered();
  });

  it('when it calls back, and the waiting task is told', async () => {
    const executions = await host.carryOut(
      'registration',
      { registry },
      { later: [[3 * hour, callsBack(accepted(number))]] },
    );
    expect(states(executions)).toEqual([[...waits, 'RecordRegistration', 'RegistrationRecorded', 'Registered']]);
    await registered();
  });

  it('when it never calls back, but answers who asks', async () => {
    const decides = () => Promise.resolve(registry.decides(accepted(number)));
    await host.carryOut('registration', { registry }, { later: [[3 * hour, decides]] });
    await registered();
  });

  it('when it never calls back, and only the machine itself asks', async () => {
    const decides = () => Promise.resolve(registry.decides(accepted(number)));
    const [execution] = await host.carryOut(
      'registration',
      { registry },
      { later: [[30 * minute, decides]], polls: false },
    );
    expect(execution!.states).toContain('AskRegistry');
    await registered();
  });

  it('once, when it calls back twice', async () => {
    await host.carryOut(
      'registration',
      { registry },
      { later: [[hour, callsBack(accepted(number), accepted(number))]] },
    );
    await registered();
    expect(registry.bodies).toHaveLength(1);
  });

  it('by its first word, when it contradicts itself, and that is a finding', async () => {
    await host.carryOut(
      'registration',
      { registry },
      { later: [[hour, callsBack(accepted(number), refused('in error'))]] },
    );
    await registered();
    expect(stage.log).toContainEqual(expect.objectContaining({ alarm: 'CALLBACK_CONFLICT', effectId: input.effectId }));
  });

  it('by the next round, when the answer comes after the wait has ended', async () => {
    const executions = await host.carryOut(
      'registration',
      { registry },
      { later: [[3 * hour, callsBack(accepted(number))]], polls: false },
    );
    expect(executions).toHaveLength(2);
    expect(executions.every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    await registered();
    expect(registry.bodies).toHaveLength(1);
  });

  it('once, when its answer was lost: it is asked, and not sent again', async () => {
    registry.atOnce = () => accepted(number);
    registry.receptions = ['loses'];
    const [execution] = await host.carryOut('registration', { registry });
    expect(execution!.states).toEqual([
      ...waits,
      'AskRegistry',
      'Answered',
      'RecordRegistration',
      'RegistrationRecorded',
      'Registered',
    ]);
    await registered();
    expect(registry.bodies).toHaveLength(1);
  });

  for (const trouble of ['was not reached', 'fails', 'is busy'] as const)
    it(`by the same bytes sent again, when it ${trouble} twice`, async () => {
      registry.atOnce = () => accepted(number);
      registry.receptions = [trouble, trouble];
      await host.carryOut('registration', { registry });
      await registered();
      expect([registry.bodies.length, new Set(registry.bodies).size]).toEqual([3, 1]);
    });

  it('by a real registry that loses its answer', async () => {
    const secrets = { apiKey: 'key', callbackUrl: 'http://127.0.0.1:1/', callbackSecret: 'secret' };
    const local = await startRegistry({ ...secrets, answerAfterMs: 0 });
    local.setFaults({ loseAnswer: { times: 1 } });
    await host.carryOut('registration', { registry: httpRegistry({ url: local.url, apiKey: 'key', settleMs: 2_000 }) });
    const [application, ...others] = local.applications();
    number = (application!.answer as { registryNumber: string }).registryNumber;
    await registered();
    expect(others).toEqual([]);
    await local.close();
  });
});

describe('a submission is not registered', () => {
  it('when the registry refuses it at once', async () => {
    registry.receptions = ['refuses'];
    expect(states(await host.carryOut('registration', { registry }))).toEqual([
      [...waits, 'RecordRegistrationRefusal', 'RefusalRecorded', 'Refused'],
    ]);
    await failedRegistration();
  });

  it('when it refuses later', async () => {
    await host.carryOut('registration', { registry }, { later: [[2 * hour, callsBack(refused('unknown licence'))]] });
    await failedRegistration();
    expect((await now()).action.registrationRefusal).toBe('unknown licence');
  });

  it('when it never receives it, however often it is sent', async () => {
    registry.receptions = Array.from({ length: 10 }, () => 'was not reached' as const);
    await host.carryOut('registration', { registry });
    await failedRegistration();
    expect([registry.bodies.length, new Set(registry.bodies).size]).toEqual([4, 1]);
  });

  it('and waits for a person when its number belongs to another action', async () => {
    registry.atOnce = () => accepted('R-TAKEN');
    await host.carryOut('registration', { registry });
    host.together();
    input = await submitted(stage);
    host.together();
    registry = fakeRegistry();
    registry.atOnce = () => accepted('R-TAKEN');
    const [execution] = await host.carryOut('registration', { registry });
    expect(execution!.states.slice(-3)).toEqual(['RecordRegistrationUnknown', 'UnknownRecorded', 'LeftToOperator']);
    const { case: current, action, row } = await now();
    expect([current.status, action.status, row.status]).toEqual(['ENFORCEMENT', 'REGISTRATION_PENDING', 'CONFIRMED']);
    expect(action.unknownSince).toBeDefined();
  });
});
