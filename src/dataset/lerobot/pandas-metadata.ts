const column = (name: string | null, field: string, kind: string, type: string) => ({
  ...{ name, field_name: field, pandas_type: kind, numpy_type: type, metadata: null },
});

/**
 * The metadata that makes pandas use the task texts as the index of the table, as LeRobot requires. Source:
 * https://pandas.pydata.org/docs/development/developer.html#storing-pandas-dataframe-objects-in-apache-parquet-format
 */
export const TASKS_METADATA = JSON.stringify({
  index_columns: ["__index_level_0__"],
  column_indexes: [
    {
      ...{ name: null, field_name: null, pandas_type: "unicode", numpy_type: "object" },
      metadata: { encoding: "UTF-8" },
    },
  ],
  columns: [
    column("task_index", "task_index", "int64", "int64"),
    column(null, "__index_level_0__", "unicode", "object"),
  ],
  attributes: {},
  creator: { library: "robot-eval", version: "" },
  pandas_version: "2.0.0",
});
