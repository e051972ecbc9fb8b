import time,sys; t0=time.time()
def lap(n):
    global t0; print(f"{n}: {time.time()-t0:.2f}", file=sys.stderr); t0=time.time()
from pipeline.storage import open_run; s=open_run(sys.argv[1]); lap('open')
from pipeline.report import write; lap('import write')
m=write.report(s); lap('report')
from pipeline.report import page as P; lap('import page')
from pipeline import rebuild, effects, atlas
w=rebuild.workload(s); [w.lexicon(v) for v in s.variants]; lap('lexicons')
e=effects.effects(s,w,s.boards); lap('effects')
sec=P.distributions(s,m); lap('dist')
bs=P.boggle_sections(s,m); lap('boggle sections')
a=atlas.load(s); lap('atlas load'); a.usable; lap('usable'); a.showable; lap('showable'); atlas.growth(a,'new'); lap('growth')
figs=[f for x in [sec,*bs] for f in x.figures]
for f in figs: f.chart.properties(title='x').to_dict()
lap(f'to_dict of {len(figs)}')
for f in figs: f.svg(); 
lap('svg')
