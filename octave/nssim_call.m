% SPDX-License-Identifier: GPL-3.0-or-later
% NSSIM_CALL  Run the program nssim and return what it prints; what it refuses is an error with its sentences.
%
%   text = nssim_call ('list', 'laws')
%
% The program is found on PATH, or named by the environment variable NSSIM.
function text = nssim_call (varargin)
  program = getenv ('NSSIM');
  if isempty (program)
    program = 'nssim';
  end
  words = cellfun (@(w) ['''' strrep(w, '''', '''\''''') ''''], [{program} varargin], 'UniformOutput', false);
  said = tempname ();
  [status, text] = system (sprintf ('%s 2>''%s''', strjoin (words, ' '), said));
  sentences = '';
  if exist (said, 'file')
    sentences = strtrim (strrep (fileread (said), 'nssim: error: ', ''));
    delete (said);
  end
  if status ~= 0
    error (sprintf ('nssim:status%d', status), '%s', sentences);
  end
end
