# SPDX-License-Identifier: GPL-3.0-or-later
# SiconosModel files of 2005 to 2014: the same ball in the first form and in the last, and what it becomes.

case first-form
file old.xml <<
<?xml version="1.0" encoding="UTF-8"?>
<SiconosModel>
  <Title>Two balls</Title><Author>A. Author</Author><Description>description</Description><Date>date</Date>
  <SchemaXML>none.xsd</SchemaXML>
  <Time><t0>0.0</t0><T> 1 </T></Time>
  <NSDS bvp='false'>
    <DS_Definition>
      <DS type="LagrangianTIDS" number='13'>
        <Id> Upper ball </Id><n>2</n><ndof>1</ndof><StepsInMemory>1</StepsInMemory>
        <q0 vectorSize='1'> 2.0 </q0><Velocity0 vectorSize='1'>0.0</Velocity0>
        <Fext vectorPlugin="BallPlugin:ballFExt"/>
        <M matrixRowSize='1' matrixColSize='1'><row>2</row></M>
        <K matrixRowSize='1' matrixColSize='1'><row>0</row></K>
      </DS>
      <DS type="LagrangianTIDS" number='2'>
        <q0 vectorSize='2'>1.0 0</q0><Velocity0 vectorSize='2'>0.5 1e-3</Velocity0>
        <M matrixRowSize='2' matrixColSize='2'><row>1 0.5</row><row>0.5 100</row></M>
      </DS>
    </DS_Definition>
    <Interaction_Definition>
      <Interaction number='1'>
        <Id>Upper ball</Id><nInter>1</nInter>
        <DS_Concerned><DS number='13' interactsWithDS_Number='2'/></DS_Concerned>
        <Relation type="LL">
          <H matrixRowSize='1' matrixColSize='3'><row>-1 0 1</row></H><b vectorSize='1'>-.1</b>
        </Relation>
        <NS_Law type="NewtonImpactLaw"><e>0.5</e></NS_Law>
      </Interaction>
    </Interaction_Definition>
  </NSDS>
  <Strategy type='TimeStepping'>
    <TimeDiscretisation isConstant='true'><h>0.005</h><N>1</N><tk vectorSize='2'>0 0</tk><hMin>0</hMin><hMax>0</hMax></TimeDiscretisation>
    <OneStepIntegrator type="Moreau"><DS_Concerned size = '1'><DS number='13'/><DS number='2'/></DS_Concerned><Theta> 0.5 </Theta></OneStepIntegrator>
    <OneStepNSProblem><LCP><n>1</n></LCP><Solver><LcpSolving><Gsnl maxIter="101" tolerance="0.0001" normType="max"/></LcpSolving></Solver></OneStepNSProblem>
  </Strategy>
</SiconosModel>
>>
run nssim import old.xml
stdout <<
<?xml version="1.0" encoding="UTF-8"?>
<!--
  Imported from old.xml, a SiconosModel file.
  Author: A. Author
  What was changed, guessed or omitted:
    "Upper ball" is renamed to Upper_ball: names are unique and consist of letters, digits, _ and - (line 8)
    <n> is ignored: a size that follows from the values (line 9)
    <ndof> is ignored: a size that follows from the values (line 9)
    <StepsInMemory> is ignored: a history that has no effect (line 9)
    "Upper ball" is renamed to Upper_ball_2: names are unique and consist of letters, digits, _ and - (line 21)
    <N> and <tk> are ignored: <h> gives the step (line 32)
    <hMin> is ignored: bounds that have no effect (line 32)
    <hMax> is ignored: bounds that have no effect (line 32)
    solver Gsnl: nssim chooses one itself, exact to rounding (line 34)
    abi="A" of plug-ins is guessed from the form of the file, because no source next to it states it
-->
<model xmlns="urn:nssim:model:1" name="old">
  <title>Two balls</title>
  <systems>
    <LagrangianLinearTIDS id="Upper_ball">
      <q0>2</q0>
      <z>0</z>
      <mass>2</mass>
      <fExt plugin="BallPlugin:ballFExt" abi="A"/>
    </LagrangianLinearTIDS>
    <LagrangianLinearTIDS id="system2">
      <q0>1 0</q0>
      <v0>0.5 0.001</v0>
      <mass>1 0.5; 0.5 100</mass>
    </LagrangianLinearTIDS>
  </systems>
  <interactions>
    <interaction id="Upper_ball_2" systems="system2 Upper_ball">
      <LagrangianLinearTIR>
        <H>-1 0 1</H>
        <e>-0.1</e>
      </LagrangianLinearTIR>
      <NewtonImpactNSL e="0.5"/>
    </interaction>
  </interactions>
  <simulation t0="0" T="1">
    <TimeStepping h="0.005">
      <MoreauJeanOSI theta="0.5"/>
      <LCP/>
    </TimeStepping>
  </simulation>
</model>
>>

case last-form-runs-as-it-is
file old.xml <<
<SiconosModel>
  <Time><t0>0</t0><T>1</T></Time>
  <NSDS>
    <DS_Definition>
      <LagrangianLinearTIDS Name='Ball'><q0 vectorSize='2'>1 0</q0><Velocity0 vectorSize='2'>0 0.5</Velocity0><Mass matrixRowSize='2' matrixColSize='2'><row>1 0</row><row>0 1</row></Mass><FExt vectorSize='2'>-9.81 0</FExt></LagrangianLinearTIDS>
    </DS_Definition>
    <Interaction_Definition>
      <Interaction Name='floor'>
        <DS_Concerned>Ball</DS_Concerned>
        <Interaction_Content>
          <LagrangianLinearTIR><C matrixRowSize='2' matrixColSize='2'><row>1 0</row><row>0 1</row></C><e vectorSize='2'>-0.25 0</e></LagrangianLinearTIR>
          <NewtonImpactFrictionNSL size='2'><en>0.5</en><et>0</et><mu>0.3</mu></NewtonImpactFrictionNSL>
        </Interaction_Content>
      </Interaction>
    </Interaction_Definition>
  </NSDS>
  <Simulation type='TimeStepping'>
    <TimeDiscretisation><h>0.01</h></TimeDiscretisation>
    <OneStepIntegrator_Definition><MoreauJeanOSI><DS_Concerned>Ball</DS_Concerned><Theta all='0.5'/></MoreauJeanOSI></OneStepIntegrator_Definition>
    <OneStepNSProblems_List><FrictionContact Type='2'><NonSmoothSolver Name='NLGS'><iparam vectorSize='1'>1</iparam></NonSmoothSolver></FrictionContact></OneStepNSProblems_List>
  </Simulation>
</SiconosModel>
>>
file new.xml <<
<model xmlns="urn:nssim:model:1" name="new">
  <systems><LagrangianLinearTIDS id="Ball"><q0>1 0</q0><v0>0 0.5</v0><fExt>-9.81 0</fExt></LagrangianLinearTIDS></systems>
  <interactions>
    <interaction id="floor" systems="Ball">
      <LagrangianLinearTIR><H>1 0; 0 1</H><e>-0.25 0</e></LagrangianLinearTIR><NewtonImpactFrictionNSL en="0.5" mu="0.3"/>
    </interaction>
  </interactions>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI/><FrictionContact/></TimeStepping></simulation>
</model>
>>
run nssim old.xml -o old.csv && nssim new.xml -q -o new.csv
stderr-match ^nssim: note: old\.xml: a SiconosModel file of 2005 to 2014, imported; nssim import shows the result$
verify cmp old.csv new.csv
verify nssim import old.xml -o model.xml && nssim model.xml -q -o model.csv && cmp model.csv new.csv

case declaration-tells-the-window
skip-unless command -v cc
file old.xml <<
<SiconosModel>
  <Time><t0>0</t0><T>1</T></Time>
  <NSDS><DS_Definition><LagrangianLinearTIDS number='1'>
    <q0 vectorSize='1'>1</q0><Velocity0 vectorSize='1'>0</Velocity0><Mass matrixRowSize='1' matrixColSize='1'><row>1</row></Mass>
    <FExt vectorPlugin="Old:force"/>
  </LagrangianLinearTIDS></DS_Definition></NSDS>
  <Simulation type='TimeStepping'>
    <TimeDiscretisation><h>0.01</h></TimeDiscretisation>
    <OneStepIntegrator_Definition><Moreau><DS_Concerned all='true'/></Moreau></OneStepIntegrator_Definition>
  </Simulation>
</SiconosModel>
>>
file Old.c <<
/* void force(double time, unsigned n, double *f, unsigned sizeZ, double *z) was written later */
void force(const unsigned int *sizeOfq, const double *time, double *fExt, double *param)
{
  for (unsigned i = 0; i < *sizeOfq; i++) fExt[i] = -9.81 + *time + param[0];
}
>>
run nssim import old.xml | grep plugin; nssim old.xml --json; nssim import old.xml --plugin-abi=E -o wrong.xml; nssim wrong.xml
exit 69
stdout-match <fExt plugin="Old:force" abi="C"/>
stdout-match "status": *"complete"
stderr-match wrong\.xml:\d+: <LagrangianLinearTIDS id="system1">: plug-in "Old:force", called for the first time with \(rows, t, out, z\) as its abi= says, crashes

case windows-have-names
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0</q0><fExt plugin="Lib:f" abi="G"/></LagrangianLinearTIDS></systems>
  <simulation T="0.01"><TimeStepping h="0.001"><MoreauJeanOSI/></TimeStepping></simulation>
</model>
>>
file Lib.c <<
void f(double t, unsigned n, double *o) { (void)t; while (n) o[--n] = 0; }
>>
skip-unless command -v cc
run nssim check m.xml
exit 65
stderr-match m\.xml:2: <fExt> of <LagrangianLinearTIDS id="s">: abi="G", expected one of A B0 B1 B2 C C2 D E F1 F

case not-an-old-file
file m.xml <<
<model/>
>>
run nssim import m.xml
exit 65
stderr-match m\.xml: unknown kind of file, expected <SiconosModel>, <robot> or <mujoco> as its first element

case values-of-files
file sample/matrix.dat <<
2 2
1 0.5
0.5 100
>>
file vectors.dat <<
1
2
-9.81
0
>>
file old.xml <<
<SiconosModel>
  <Time><t0>0</t0><T>1</T></Time>
  <NSDS><DS_Definition><LagrangianLinearTIDS number='1'>
    <q0 vectorFile='./siconos/vectors.dat'/><Velocity0 vectorSize='2'>0 0</Velocity0><M matrixFile='./sample/matrix.dat'/>
    <Fext vectorFile='vectors.dat'/><K matrixRowSize='2' matrixColSize='2'><row>1 2</row></K>
  </LagrangianLinearTIDS></DS_Definition></NSDS>
  <Strategy type='TimeStepping'>
    <TimeDiscretisation><N>100</N><tk vectorSize='2'>0 0</tk></TimeDiscretisation>
    <OneStepIntegrator_Definition><Moreau><DS_Concerned><indexList vectorSize='1'>1</indexList></DS_Concerned></Moreau></OneStepIntegrator_Definition>
  </Strategy>
</SiconosModel>
>>
run nssim import old.xml
stdout-match <q0>-9\.81 0</q0>
stdout-match <mass>1 0\.5; 0\.5 100</mass>
stdout-match <K>1 2; 0 0</K>
stdout-match <fExt>-9\.81 0</fExt>
stdout-match <K> gives 1 of its 2 rows: the others are zero
stdout-match <TimeStepping h="0\.01">
stdout-match <MoreauJeanOSI theta="0\.5"/>

case instants
file old.xml <<
<SiconosModel>
  <Time><t0>0</t0><T>0.3</T></Time>
  <NSDS><DS_Definition><LinearDS number='1'><x0 vectorSize='1'>1</x0><A matrixRowSize='1' matrixColSize='1'><row>-1</row></A></LinearDS></DS_Definition></NSDS>
  <Simulation>
    <TimeDiscretisation><tk vectorSize='4'>0 0.1 0.2 0.3</tk></TimeDiscretisation>
    <OneStepIntegrator_Definition><Moreau><DS_Concerned all='true'/><Theta all='0.5'/></Moreau></OneStepIntegrator_Definition>
  </Simulation>
</SiconosModel>
>>
run nssim old.xml -q -o -
stdout-match ^0\.(3|2999)\d*,0\.74063

case first-order
file old.xml <<
<SiconosModel>
  <Time><t0>0</t0><T>0.5</T></Time>
  <NSDS>
    <DS_Definition>
      <LinearSystemDS number='7'><Id>circuit</Id><x0 vectorSize='2'>10 0</x0>
        <A matrixRowSize='2' matrixColSize='2'><row>0 -1</row><row>1 0</row></A>
        <B matrixRowSize='2' matrixColSize='1'><row>0</row><row>0.5</row></B><u vectorSize='1'>3</u><f vectorSize='2'>0.25 0</f>
      </LinearSystemDS>
    </DS_Definition>
    <Interaction_Definition>
      <Interaction number='1'><Id>diode</Id><nInter>1</nInter><DS_Concerned><DS number='7'/></DS_Concerned>
        <Interaction_Content>
          <LTI><C matrixRowSize='1' matrixColSize='2'><row>-1 0</row></C><D matrixRowSize='1' matrixColSize='1'><row>2</row></D>
            <E matrixRowSize='2' matrixColSize='1'><row>1</row><row>0</row></E><a vectorSize='2'>0 0</a></LTI>
          <CCNSLaw/>
        </Interaction_Content>
      </Interaction>
      <Interaction number='2'><Id>relay</Id><nInter>1</nInter><DS_Concerned all='true'/>
        <Interaction_Content>
          <LinearTimeInvariantRelation><C matrixRowSize='1' matrixColSize='2'><row>0 1</row></C>
            <B matrixRowSize='2' matrixColSize='1'><row>0</row><row>1</row></B></LinearTimeInvariantRelation>
          <RelayNSLaw><c>1</c><d>-2</d></RelayNSLaw>
        </Interaction_Content>
      </Interaction>
    </Interaction_Definition>
  </NSDS>
  <Strategy type='TimeStepping'>
    <TimeDiscretisation><h>0.01</h></TimeDiscretisation>
    <OneStepIntegrator_Definition><Moreau><DS_Concerned><DS number='7'/></DS_Concerned><Theta>1</Theta></Moreau></OneStepIntegrator_Definition>
    <OneStepNSProblem type="Relay"/>
  </Strategy>
</SiconosModel>
>>
file new.xml <<
<model xmlns="urn:nssim:model:1" name="new">
  <systems>
    <FirstOrderLinearDS id="circuit"><x0>10 0</x0><A>0 -1; 1 0</A><b>0.25 0</b><u>3</u><T>0; 0.5</T></FirstOrderLinearDS>
  </systems>
  <interactions>
    <interaction id="diode" systems="circuit"><FirstOrderLinearTIR><C>-1 0</C><B>1; 0</B><D>2</D></FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction>
    <interaction id="relay" systems="circuit"><FirstOrderLinearTIR><C>0 1</C><B>0; 1</B></FirstOrderLinearTIR><RelayNSL lb="-2" ub="1"/></interaction>
  </interactions>
  <simulation T="0.5"><TimeStepping h="0.01"><EulerMoreauOSI theta="1"/></TimeStepping></simulation>
</model>
>>
run nssim old.xml -q -o old.csv && nssim new.xml -q -o new.csv
verify cmp old.csv new.csv

case several-contacts-with-friction
file old.xml <<
<SiconosModel>
  <Time><t0>0</t0><T>1</T></Time>
  <NSDS>
    <DS_Definition><LagrangianLinearTIDS number='1' Id='b'><q0 vectorSize='4'>1 0 2 0</q0><Velocity0 vectorSize='4'>0 1 0 2</Velocity0>
      <Mass matrixRowSize='4' matrixColSize='4'><row>1 0 0 0</row><row>0 1 0 0</row><row>0 0 1 0</row><row>0 0 0 1</row></Mass>
      <FExt vectorSize='4'>-9.81 0 -9.81 0</FExt></LagrangianLinearTIDS></DS_Definition>
    <Interaction_Definition><Interaction number='4'><size>4</size><DS_Concerned vectorSize='1'>1</DS_Concerned>
      <Interaction_Content>
        <LagrangianLinearRelation><H matrixRowSize='4' matrixColSize='4'><row>1 0 0 0</row><row>0 1 0 0</row><row>0 0 1 0</row><row>0 0 0 1</row></H>
          <b vectorSize='4'>0.5 0 0.25 0</b></LagrangianLinearRelation>
        <NewtonImpactFrictionLaw><size>2</size><en>0.5</en><mu>0.25</mu></NewtonImpactFrictionLaw>
      </Interaction_Content></Interaction></Interaction_Definition>
  </NSDS>
  <Simulation type='TimeStepping'><TimeDiscretisation><h>0.01</h></TimeDiscretisation>
    <OneStepIntegrator_Definition><Moreau><DS_Concerned vectorSize='1'>1</DS_Concerned><Theta all='0.5'/></Moreau></OneStepIntegrator_Definition>
    <OneStepNSProblem><FrictionContact2D/></OneStepNSProblem></Simulation>
</SiconosModel>
>>
run nssim import old.xml; nssim old.xml --json
stdout-match <interaction id="interaction4-1" systems="b">
stdout-match <H>1 0 0 0; 0 1 0 0</H>
stdout-match <interaction id="interaction4-2" systems="b">
stdout-match <e>0\.25 0</e>
stdout-match "status": *"complete"

case event-driven-and-two-problems
file old.xml <<
<SiconosModel>
  <Time><t0>0</t0><T>1</T></Time>
  <NSDS><DS_Definition><LagrangianLinearTIDS number='1' Id='ball'><q0 vectorSize='1'>1</q0><Velocity0 vectorSize='1'>0</Velocity0>
    <Mass matrixRowSize='1' matrixColSize='1'><row>1</row></Mass><FExt vectorSize='1'>-8</FExt></LagrangianLinearTIDS></DS_Definition>
    <Interaction_Definition><Interaction number='1' Id='floor'><DS_Concerned all='true'/><Interaction_Content>
      <LagrangianRelation type='Linear'><H matrixRowSize='1' matrixColSize='1'><row>1</row></H></LagrangianRelation>
      <NewtonImpactLaw><e>0.5</e></NewtonImpactLaw></Interaction_Content></Interaction></Interaction_Definition></NSDS>
  <Simulation type='EventDriven'><TimeDiscretisation><h>0.25</h></TimeDiscretisation>
    <OneStepIntegrator_Definition><Lsodar><DS_Concerned all='true'/></Lsodar></OneStepIntegrator_Definition>
    <OneStepNSProblems_List><LCP Id='acceleration'/><LCP Id='impact'/></OneStepNSProblems_List></Simulation>
</SiconosModel>
>>
run nssim old.xml -q -o out.h5 && nssim export out.h5 --events
stdout-match ^0\.50000000

case no-mass-but-a-damper
file m.xml <<
<model xmlns="urn:nssim:model:1" name="m">
  <systems><LagrangianLinearTIDS id="s"><q0>0 1</q0><mass diag="1 0"/><C diag="0 2"/><fExt>1 4</fExt></LagrangianLinearTIDS></systems>
  <simulation T="1"><TimeStepping h="0.01"><MoreauJeanOSI theta="1"/></TimeStepping></simulation>
</model>
>>
run nssim m.xml -q -o - | tail -1; sed 's/0 2"/0 0"/' m.xml >n.xml; nssim n.xml
exit 65
stdout-match ^1,0\.505\d*,3\.0*\d*,
stderr-match n\.xml:2: .*the mass matrix is not positive definite
