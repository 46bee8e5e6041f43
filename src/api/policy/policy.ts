import type { Observation } from "../../core/interfaces/observation.js";
import type { MaybePromise } from "../../core/interfaces/simulator.js";
import type { NdArray } from "../codec/ndarray.js";
import type { Conventions } from "../messages/base.js";
import type { PolicyEpisode } from "./episode.js";

/**
 * What a policy sees, by sensor name: pictures as images, vectors as lists of numbers, numbers, text and objects
 * as they are. The same in either encoding.
 */
export type PolicyObservation = Observation;

/** Where an observation belongs. A policy that plays several episodes side by side tells them apart by this. */
export interface PolicyMoment {
  readonly sessionId: string;
  /** Of the episode, from 0. */
  readonly step: number;
  readonly taskType: string;
  readonly episode: PolicyEpisode;
}

type Vector = readonly number[] | Float32Array | Float64Array | NdArray;

/** A name, a vector, `{name}` or `{qpos}`. */
export type SingleAction = string | Vector | { readonly name: string } | { readonly qpos: Vector };

/** One action, or several in order: a list of actions, or an array with a row each. */
export type PolicyAction = SingleAction | readonly SingleAction[];

/** What a policy's author writes. Methods of one object are never called two at a time. */
export interface Policy {
  /** The sensors to be rendered and sent; all that the task has, if absent. */
  readonly sensors?: readonly string[] | undefined;
  /** The most actions that one `act` returns; 1 if absent. */
  readonly actionChunk?: number | undefined;
  /** What the policy takes for granted: `action_space`, `quaternion_order`, `gripper_open`, ... */
  readonly conventions?: Conventions | undefined;
  /** A new episode begins: forget the last one. */
  reset?(episode: PolicyEpisode): MaybePromise<void>;
  /** What to do next, from what is seen now. */
  act(observation: PolicyObservation, moment: PolicyMoment): MaybePromise<PolicyAction>;
  /** An action for each; with this, one object plays many episodes side by side. */
  actBatch?(
    observations: readonly PolicyObservation[],
    moments: readonly PolicyMoment[],
  ): MaybePromise<readonly PolicyAction[]>;
  /** No more episodes will come. */
  close?(): MaybePromise<void>;
}

/**
 * An object plays one episode at a time (many, with `actBatch`); a function or class makes an object for each
 * episode that runs beside others.
 */
export type PolicySource = Policy | (() => MaybePromise<Policy>) | (new () => Policy);
