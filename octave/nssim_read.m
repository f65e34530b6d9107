% SPDX-License-Identifier: GPL-3.0-or-later
% NSSIM_READ  Read a result of nssim and return it as a struct.
% Requires Octave 6 or MATLAB R2016b, or later.
%
%   r = nssim_read ('ball.csv')     CSV, with ball.json and ball.events.csv in the same folder
%   r = nssim_read ('ball.h5')      HDF5, which the program nssim converts
%
%   r.time       [rows x 1] s
%   r.labels     {1 x columns} names, such as 'ball.x'; nssim_column (r, 'ball.x') returns a column
%   r.units      {1 x columns} units, '' if unknown
%   r.values     [rows x columns]
%   r.events     struct of columns: time, kind, interaction, row, velocity_before, impulse, ...
%   r.measures, r.certificate, r.provenance, r.model   see nssim-output(5)
function r = nssim_read (path)
  [~, ~, suffix] = fileparts (path);
  if ~exist (path, 'file')
    error ('nssim:file', '%s: no such file', path);
  end
  if strcmp (suffix, '.csv')
    stem = path(1:end-4);
    if ~exist ([stem '.json'], 'file')
      error ('nssim:file', '%s: %s.json is missing, which describes the columns; the table of a sweep has no description', path, stem);
    end
    said = jsondecode (fileread ([stem '.json']));
    [head, values] = numbers (path);
    events = [stem '.events.csv'];
  else
    folder = tempname ();
    mkdir (folder);
    events = fullfile (folder, 'events.csv');
    rows = fullfile (folder, 'rows.csv');
    said = jsondecode (nssim_call ('info', '--json', path));
    write (rows, nssim_call ('info', '--print', '*', path));
    write (events, nssim_call ('info', '--events', path));
    [head, values] = numbers (rows);
  end
  r.path = path;
  r.time = values(:, 1);
  r.labels = head(2:end);
  r.values = values(:, 2:end);
  r.units = units_of (said, r.labels);
  r.events = struct ();
  if exist (events, 'file')
    r.events = table_of (events);
  end
  for name = {'measures', 'certificate', 'provenance', 'model'}
    r.(name{1}) = struct ();
    if isfield (said, name{1})
      r.(name{1}) = said.(name{1});
    end
  end
  if ~strcmp (suffix, '.csv')
    delete (events);
    delete (rows);
    rmdir (folder);
  end
end

function write (path, content)
  f = fopen (path, 'w');
  fwrite (f, content);
  fclose (f);
end

% Fields of a line of CSV; fields in quotes can contain commas.
function out = fields (line)
  out = regexp (line, '("(?:[^"]|"")*"|[^,]*)(?:,|$)', 'tokens');
  out = cellfun (@(t) strrep (regexprep (t{1}, '^"(.*)"$', '$1'), '""', '"'), out, 'UniformOutput', false);
  if line(end) ~= ',' && numel (out) > 1 && isempty (out{end})
    out(end) = [];  % the empty match at the end of the line
  end
end

function [head, values] = numbers (path)
  f = fopen (path, 'r');
  head = fields (fgetl (f));
  values = textscan (f, repmat ('%f', 1, numel (head)), 'Delimiter', ',', 'CollectOutput', true);
  fclose (f);
  values = values{1};
end

% A table that contains text columns, as a struct of columns.
function t = table_of (path)
  f = fopen (path, 'r');
  head = fields (fgetl (f));
  texts = ismember (head, {'kind', 'interaction', 'mode_before', 'mode_after'});
  form = repmat ({'%f'}, 1, numel (head));
  form(texts) = {'%q'};
  columns = textscan (f, [form{:}], 'Delimiter', ',');
  fclose (f);
  t = cell2struct (columns(:), head(:), 1);
end

function units = units_of (said, labels)
  units = repmat ({''}, size (labels));
  channels = said.channels;
  if ~iscell (channels)
    channels = num2cell (channels);
  end
  for i = 1:numel (channels)
    c = channels{i};
    names = cellstr (c.labels);
    if isfield (c, 'units') && ~isempty (c.units)
      mine = cellstr (c.units);
    elseif isfield (c, 'unit') && ~isempty (c.unit)
      mine = repmat ({c.unit}, size (names));
    else
      continue
    end
    [there, at] = ismember (names, labels);
    units(at(there)) = mine(there);
  end
end
