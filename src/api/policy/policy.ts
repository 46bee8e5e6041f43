import type { Observation } from "../../core/interfaces/observation.js";
import type { MaybePromise } from "../../core/interfaces/simulator.js";
import type { NdArray } from "../codec/ndarray.js";
import type { Conventions } from "../messages/base.js";
import type { PolicyEpisode } from "./episode.js";

/**
 * What a policy sees, by sensor name: images, vectors as lists of numbers, and numbers, text and objects unchanged.
 * Identical in both encodings.
 */
export type PolicyObservation = Observation;

/** Identifies the episode and step of an observation. A policy with concurrent episodes distinguishes them by this. */
export interface PolicyMoment {
  readonly sessionId: string;
  /** Step of the episode, from 0. */
  readonly step: number;
  readonly taskType: string;
  readonly episode: PolicyEpisode;
}

type Vector = readonly number[] | Float32Array | Float64Array | NdArray;

/** A name, a vector, `{name}` or `{qpos}`. */
export type SingleAction = string | Vector | { readonly name: string } | { readonly qpos: Vector };

/** One action, or several in order: a list of actions, or an array with one row each. */
export type PolicyAction = SingleAction | readonly SingleAction[];

/** The interface of a policy. Methods of one object are never called concurrently. */
export interface Policy {
  /** Sensors to render and send; all sensors of the task if absent. */
  readonly sensors?: readonly string[] | undefined;
  /** Maximum number of actions that one `act` returns; 1 if absent. */
  readonly actionChunk?: number | undefined;
  /** Conventions that the policy assumes: `action_space`, `quaternion_order`, `gripper_open`, ... */
  readonly conventions?: Conventions | undefined;
  /** Starts a new episode; discard all state of the last one. */
  reset?(episode: PolicyEpisode): MaybePromise<void>;
  /** Returns the next action for the current observation. */
  act(observation: PolicyObservation, moment: PolicyMoment): MaybePromise<PolicyAction>;
  /** Returns one action per observation. With this method, one object acts in several concurrent episodes. */
  actBatch?(
    observations: readonly PolicyObservation[],
    moments: readonly PolicyMoment[],
  ): MaybePromise<readonly PolicyAction[]>;
  /** Called after the last episode. */
  close?(): MaybePromise<void>;
}

/**
 * An object acts in one episode at a time, or in several with `actBatch`; a function or class creates one object per
 * concurrent episode.
 */
export type PolicySource = Policy | (() => MaybePromise<Policy>) | (new () => Policy);
